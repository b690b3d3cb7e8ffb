# The page that the tool writes and serves: bundled by node from web/ and compiled in as source.
# Without node the tool is built all the same, and says what is missing when a page is asked for.
function(abut_embed_page target)
  find_program(ABUT_NODE NAMES node nodejs)
  find_program(ABUT_NPM npm)
  set(source ${PROJECT_BINARY_DIR}/web/page.cpp)
  if(ABUT_NODE AND ABUT_NPM)
    set(web ${PROJECT_SOURCE_DIR}/web)
    file(GLOB_RECURSE inputs CONFIGURE_DEPENDS ${web}/src/*)
    add_custom_command(OUTPUT ${source}
      COMMAND ${ABUT_NODE} ${web}/build.mjs --html ${PROJECT_BINARY_DIR}/web/page.html --cpp ${source}
      DEPENDS ${inputs} ${web}/build.mjs ${web}/package-lock.json
      COMMENT "Bundling the page" VERBATIM)
  else()
    message(STATUS "no node or npm: abut is built without its page")
    configure_file(${PROJECT_SOURCE_DIR}/apps/abut/report_no_page.cpp.in ${source} COPYONLY)
  endif()
  target_sources(${target} PRIVATE ${source})
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/apps/abut)
endfunction()
